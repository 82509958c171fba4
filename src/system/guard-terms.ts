/** What Fermix and the guard of a child agree on: which open files the guard is given, and the word that says so. */

/** The socket whose other end only Fermix holds: EOF on it means that Fermix is gone. */
export const LIFELINE_FD = 3;
/** The server's stdin and stdout, when the guard is asked for `SOCKETS`. */
export const SERVER_STDIN_FD = 4;
export const SERVER_STDOUT_FD = 5;

/** The server gets the guard's own stdin and stdout. */
export const INHERIT = "inherit";
/** The server gets two sockets of which the guard keeps nothing. */
export const SOCKETS = "sockets";
