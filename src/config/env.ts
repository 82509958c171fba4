/** The only reader of the process environment. */

export interface Environment {
  /** Absolute path of the home: FERMIX_HOME or `~/.fermix`. */
  readonly fermixHome: string;
  readonly noColor: boolean;
  /** PATH split into absolute folders, relative ones dropped. */
  readonly path: readonly string[];
  /** The user's home folder. */
  readonly userHome: string;
  /** A variable by name, for allow-lists such as a child's `pass_env`. */
  get(name: string): string | undefined;
}
