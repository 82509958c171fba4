/** Failures of the plugins area. */
export const pluginCodes = {} as const;
