/** Failures of the agent area. */
export const agentCodes = {} as const;
