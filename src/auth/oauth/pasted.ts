/** Reads the redirect URL that somebody copied out of the browser of another machine. */

/** The members of its query, none when there are none. The whole URL may be pasted, or what stands behind its `?`. */
export function pastedParameters(text: string): URLSearchParams {
  // Terminals break long lines where they please, shells put backslashes in, and people quotes around: none is in a URL.
  const pasted = text.replace(/[\s\\]+/g, "").replace(/^["'`<]+|["'`>]+$/g, "");
  const query = pasted.slice(pasted.indexOf("?") + 1);
  return new URLSearchParams(query.split("#", 1)[0]);
}

/** Whether the text can be the answer of a sign-in page. */
export function looksPasted(text: string): boolean {
  const parameters = pastedParameters(text);
  return parameters.has("state") && (parameters.has("code") || parameters.has("error"));
}
