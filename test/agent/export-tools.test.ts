/** How tools look to MCP clients, whatever their servers said. */
import { expect, test } from "bun:test";
import { exportTools } from "../../src/agent/export-tools.ts";
import { railTool } from "../fakes/rail-session.ts";

test("a tool is exported whole", () => {
  const tool = railTool("notes", "look", {
    title: "Look",
    inputSchema: { type: "object", properties: { q: { type: "string" } } },
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  });
  expect(exportTools([tool])).toEqual([
    {
      name: "notes_look",
      title: "Look",
      description: "Does look.",
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    },
  ]);
});

test("what no client would accept costs a tool its schema, not its place, and no other tool anything (AGT-12)", () => {
  const bare = (name: string) => ({ name, description: "Does it.", inputSchema: { type: "object" as const } });
  const odd = (upstreamName: string, more: object) =>
    railTool("notes", upstreamName, { description: "Does it.", ...more });
  expect(
    exportTools([
      odd("a", { inputSchema: { type: "array" } }),
      odd("b", { inputSchema: { properties: "none" } }),
      odd("c", { annotations: { readOnlyHint: "yes" } }),
      odd("d", { inputSchema: {} }),
    ]),
  ).toEqual(["notes_a", "notes_b", "notes_c", "notes_d"].map(bare));
});
