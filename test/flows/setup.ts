/** What every flow needs before it runs: the compiled binary, built from the sources as they are now. */
import { buildFermix } from "../../build.ts";
import { BINARY, isCurrent } from "../lab/binary.ts";

if (!isCurrent(BINARY)) await buildFermix({ outfile: BINARY });
