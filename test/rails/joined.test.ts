/** A plugin with a process and templates: each tool goes to the part that has it, and one part's trouble leaves the other. */
import { expect, test } from "bun:test";
import { buildRegistry } from "../../src/host/registry.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { joinSessions } from "../../src/rails/joined.ts";
import { FakeSession, railTool, text } from "../fakes/rail-session.ts";

function parts() {
  const local = new FakeSession("car", [railTool("car", "look"), railTool("car", "start")]);
  const http = new FakeSession("car", [railTool("car", "honk"), railTool("car", "look")]);
  local.answer = (tool) => text(`local ${tool.upstreamName}`);
  http.answer = (tool) => text(`http ${tool.upstreamName}`);
  return { local, http, joined: joinSessions(local, http) };
}

test("the tools of both are one sorted list, and the manifest's template goes before a live tool of the same name", async () => {
  const { joined } = parts();
  expect(joined.tools().map(({ upstreamName }) => upstreamName)).toEqual(["honk", "look", "start"]);
  const answers = await Promise.all(joined.tools().map((tool) => joined.call(tool, {}, {})));
  expect(answers).toEqual([text("http honk"), text("http look"), text("local start")]);
});

test("a process that fails takes only its own tools along", () => {
  const { local, joined } = parts();
  const error = new FermixError("session_closed", { plugin: "car", tool: "car_start" });
  local.become({ status: "failed", error });
  expect(joined.state()).toEqual({ status: "failed", error });
  expect(buildRegistry([joined]).tools.map(({ name }) => String(name))).toEqual(["car_honk", "car_look"]);
});

test("closing closes both", async () => {
  const { local, http, joined } = parts();
  await joined.close();
  expect([local.state(), http.state(), joined.state()]).toEqual(Array(3).fill({ status: "closed" }));
});
