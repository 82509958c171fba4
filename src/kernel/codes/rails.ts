/** Failures of the rails area. */
export const railCodes = {} as const;
