/** What every flow needs before it runs: the compiled binary, built from the sources as they are now. */
import { afterAll } from "bun:test";
import { buildFermix } from "../../build.ts";
import { BINARY, isCurrent } from "../lab/binary.ts";
import { removeSharedFolders } from "../lab/shared-folder.ts";

if (!isCurrent(BINARY)) await buildFermix({ outfile: BINARY });

afterAll(removeSharedFolders);
