/** Failures of the store area. */
export const storeCodes = {} as const;
