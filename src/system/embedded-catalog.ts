/** The files of the catalog inside the binary, by name; written by `bun run catalog`, never by hand. */
import file0 from "../../catalog/artifacts/agentmail-1.0.0.tar.gz" with { type: "file" };
import file1 from "../../catalog/artifacts/agentmail-1.0.0.tar.gz.sig" with { type: "file" };
import file2 from "../../catalog/artifacts/agentmail-1.0.1.tar.gz" with { type: "file" };
import file3 from "../../catalog/artifacts/agentmail-1.0.1.tar.gz.sig" with { type: "file" };
import file4 from "../../catalog/artifacts/agentmail-1.0.2.tar.gz" with { type: "file" };
import file5 from "../../catalog/artifacts/agentmail-1.0.2.tar.gz.sig" with { type: "file" };
import file6 from "../../catalog/artifacts/discord-1.0.0.tar.gz" with { type: "file" };
import file7 from "../../catalog/artifacts/discord-1.0.0.tar.gz.sig" with { type: "file" };
import file8 from "../../catalog/artifacts/discord-1.0.1.tar.gz" with { type: "file" };
import file9 from "../../catalog/artifacts/discord-1.0.1.tar.gz.sig" with { type: "file" };
import file10 from "../../catalog/artifacts/discord-1.0.2.tar.gz" with { type: "file" };
import file11 from "../../catalog/artifacts/discord-1.0.2.tar.gz.sig" with { type: "file" };
import file12 from "../../catalog/artifacts/eden-1.2.0.tar.gz" with { type: "file" };
import file13 from "../../catalog/artifacts/eden-1.2.0.tar.gz.sig" with { type: "file" };
import file14 from "../../catalog/artifacts/github-1.0.0.tar.gz" with { type: "file" };
import file15 from "../../catalog/artifacts/github-1.0.0.tar.gz.sig" with { type: "file" };
import file16 from "../../catalog/artifacts/notion-1.0.0.tar.gz" with { type: "file" };
import file17 from "../../catalog/artifacts/notion-1.0.0.tar.gz.sig" with { type: "file" };
import file18 from "../../catalog/artifacts/obsidian-1.0.0.tar.gz" with { type: "file" };
import file19 from "../../catalog/artifacts/obsidian-1.0.0.tar.gz.sig" with { type: "file" };
import file20 from "../../catalog/artifacts/slack-1.0.0.tar.gz" with { type: "file" };
import file21 from "../../catalog/artifacts/slack-1.0.0.tar.gz.sig" with { type: "file" };
import file22 from "../../catalog/artifacts/slack-1.0.1.tar.gz" with { type: "file" };
import file23 from "../../catalog/artifacts/slack-1.0.1.tar.gz.sig" with { type: "file" };
import file24 from "../../catalog/artifacts/slack-1.0.2.tar.gz" with { type: "file" };
import file25 from "../../catalog/artifacts/slack-1.0.2.tar.gz.sig" with { type: "file" };
import file26 from "../../catalog/artifacts/x-1.0.0.tar.gz" with { type: "file" };
import file27 from "../../catalog/artifacts/x-1.0.0.tar.gz.sig" with { type: "file" };
import file28 from "../../catalog/bundled/gmail/assets/logo.svg" with { type: "file" };
import file29 from "../../catalog/bundled/gmail/plugin.json" with { type: "file" };
import file30 from "../../catalog/bundled/gmail/skills/gmail-plugin/SKILL.md" with { type: "file" };
import file31 from "../../catalog/bundled/google_calendar/assets/logo.svg" with { type: "file" };
import file32 from "../../catalog/bundled/google_calendar/plugin.json" with { type: "file" };
import file33 from "../../catalog/bundled/google_calendar/skills/google-calendar-plugin/SKILL.md" with { type: "file" };
import file34 from "../../catalog/bundled/google_drive/assets/logo.svg" with { type: "file" };
import file35 from "../../catalog/bundled/google_drive/plugin.json" with { type: "file" };
import file36 from "../../catalog/bundled/google_drive/skills/google-drive-plugin/SKILL.md" with { type: "file" };
import file37 from "../../catalog/index.json" with { type: "file" };
import file38 from "../../catalog/index.json.sig" with { type: "file" };
import file39 from "../../catalog/index.pub" with { type: "file" };
import file40 from "../../catalog/publishers/1558e37611668a2e627ba3ad288677ce.pub" with { type: "file" };
import file41 from "../../catalog/publishers/38d330796f377654add133073772e1a5.pub" with { type: "file" };
import file42 from "../../catalog/publishers/a2976c3df2abd7e856d119446ea1d87a.pub" with { type: "file" };
import file43 from "../../catalog/publishers/a44edbff7cc712ab3bbd404e3e4063c6.pub" with { type: "file" };

/** Name below `catalog/` to a path that node:fs and Bun.file can read, also inside the compiled binary. */
export const embeddedPaths: ReadonlyMap<string, string> = new Map([
  ["artifacts/agentmail-1.0.0.tar.gz", String(file0)],
  ["artifacts/agentmail-1.0.0.tar.gz.sig", String(file1)],
  ["artifacts/agentmail-1.0.1.tar.gz", String(file2)],
  ["artifacts/agentmail-1.0.1.tar.gz.sig", String(file3)],
  ["artifacts/agentmail-1.0.2.tar.gz", String(file4)],
  ["artifacts/agentmail-1.0.2.tar.gz.sig", String(file5)],
  ["artifacts/discord-1.0.0.tar.gz", String(file6)],
  ["artifacts/discord-1.0.0.tar.gz.sig", String(file7)],
  ["artifacts/discord-1.0.1.tar.gz", String(file8)],
  ["artifacts/discord-1.0.1.tar.gz.sig", String(file9)],
  ["artifacts/discord-1.0.2.tar.gz", String(file10)],
  ["artifacts/discord-1.0.2.tar.gz.sig", String(file11)],
  ["artifacts/eden-1.2.0.tar.gz", String(file12)],
  ["artifacts/eden-1.2.0.tar.gz.sig", String(file13)],
  ["artifacts/github-1.0.0.tar.gz", String(file14)],
  ["artifacts/github-1.0.0.tar.gz.sig", String(file15)],
  ["artifacts/notion-1.0.0.tar.gz", String(file16)],
  ["artifacts/notion-1.0.0.tar.gz.sig", String(file17)],
  ["artifacts/obsidian-1.0.0.tar.gz", String(file18)],
  ["artifacts/obsidian-1.0.0.tar.gz.sig", String(file19)],
  ["artifacts/slack-1.0.0.tar.gz", String(file20)],
  ["artifacts/slack-1.0.0.tar.gz.sig", String(file21)],
  ["artifacts/slack-1.0.1.tar.gz", String(file22)],
  ["artifacts/slack-1.0.1.tar.gz.sig", String(file23)],
  ["artifacts/slack-1.0.2.tar.gz", String(file24)],
  ["artifacts/slack-1.0.2.tar.gz.sig", String(file25)],
  ["artifacts/x-1.0.0.tar.gz", String(file26)],
  ["artifacts/x-1.0.0.tar.gz.sig", String(file27)],
  ["bundled/gmail/assets/logo.svg", String(file28)],
  ["bundled/gmail/plugin.json", String(file29)],
  ["bundled/gmail/skills/gmail-plugin/SKILL.md", String(file30)],
  ["bundled/google_calendar/assets/logo.svg", String(file31)],
  ["bundled/google_calendar/plugin.json", String(file32)],
  ["bundled/google_calendar/skills/google-calendar-plugin/SKILL.md", String(file33)],
  ["bundled/google_drive/assets/logo.svg", String(file34)],
  ["bundled/google_drive/plugin.json", String(file35)],
  ["bundled/google_drive/skills/google-drive-plugin/SKILL.md", String(file36)],
  ["index.json", String(file37)],
  ["index.json.sig", String(file38)],
  ["index.pub", String(file39)],
  ["publishers/1558e37611668a2e627ba3ad288677ce.pub", String(file40)],
  ["publishers/38d330796f377654add133073772e1a5.pub", String(file41)],
  ["publishers/a2976c3df2abd7e856d119446ea1d87a.pub", String(file42)],
  ["publishers/a44edbff7cc712ab3bbd404e3e4063c6.pub", String(file43)],
]);
