/** Which tools are live: ready sessions only, one order, no name twice. */
import { expect, test } from "bun:test";
import { buildRegistry } from "../../src/host/registry.ts";
import { FakeSession, railTool } from "../fakes/rail-session.ts";

test("only ready sessions have live tools, sorted by name whatever the order of the sessions", () => {
  const notes = new FakeSession("notes", [railTool("notes", "write"), railTool("notes", "Read")]);
  const mail = new FakeSession("mail");
  const starting = new FakeSession("slow", [railTool("slow", "look")], { status: "starting", attempt: 2 });
  const names = ["mail_look", "notes_Read", "notes_write"];
  expect(buildRegistry([notes, mail, starting]).tools.map(({ name }) => String(name))).toEqual(names);
  expect(buildRegistry([starting, mail, notes]).tools.map(({ name }) => String(name))).toEqual(names);
  expect(buildRegistry([notes, mail]).find("notes_write")?.session).toBe(notes);
  expect(buildRegistry([notes, mail]).find("slow_look")).toBeUndefined();
});

test("two plugins that arrive at one tool name: the first in the alphabet keeps it, whoever started first", () => {
  const short = new FakeSession("a", [railTool("a", "b_c")]);
  const long = new FakeSession("a_b", [railTool("a_b", "c"), railTool("a_b", "d")]);
  for (const sessions of [
    [short, long],
    [long, short],
  ]) {
    const registry = buildRegistry(sessions);
    expect(registry.tools.map(({ name }) => String(name))).toEqual(["a_b_c", "a_b_d"]);
    expect(registry.find("a_b_c")?.session).toBe(short);
    expect(registry.shadowed.map(({ plugin, upstreamName }) => `${plugin} ${upstreamName}`)).toEqual(["a_b c"]);
  }
});
