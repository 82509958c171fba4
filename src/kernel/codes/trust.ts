/** Failures of the trust area. */
export const trustCodes = {} as const;
