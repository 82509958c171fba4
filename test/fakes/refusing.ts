/** A port that allows nothing: every use of it is a failure that names what was asked. */

/** Stands in for a port a test does not expect to be touched. */
export function refusing<Port extends object>(port: string): Port {
  return new Proxy({} as Port, {
    get: (_, method) => {
      throw new Error(`unexpected ${port}.${String(method)}`);
    },
  });
}
