/** What the stand-in of X holds, in the shapes of its API reference: three accounts and a timeline. */

export const ME = { id: "2244994945", name: "X Dev", username: "XDevelopers" };
export const OTHER = { id: "783214", name: "Ada", username: "ada" };

const DETAILS = {
  created_at: "2013-12-14T04:35:55.000Z",
  description: "The voice of the X Dev team",
  verified: true,
  public_metrics: { followers_count: 513_868, following_count: 2018, tweet_count: 3961, listed_count: 1672 },
};

/** An account with the fields that were asked for; id, name and username are always there. */
export const account = (user: typeof ME, fields: readonly string[]) => ({
  ...user,
  ...Object.fromEntries(Object.entries(DETAILS).filter(([name]) => fields.includes(name))),
});

/** Newest first; the ids are beyond 2^53 and travel as strings. */
export const POSTS = Array.from({ length: 25 }, (_, at) => ({
  id: String(1_850_000_000_000_000_000n - BigInt(at) * 1_000n),
  text: `Post ${at + 1}`,
  edit_history_tweet_ids: [String(1_850_000_000_000_000_000n - BigInt(at) * 1_000n)],
}));

const POST_DETAILS = {
  created_at: "2026-11-30T10:00:00.000Z",
  public_metrics: { retweet_count: 1, reply_count: 2, like_count: 3, quote_count: 4 },
};

/** A post with the fields that were asked for, and its author where that was. */
export const post = (basic: (typeof POSTS)[number], fields: readonly string[], expansions: readonly string[]) => ({
  ...basic,
  ...Object.fromEntries(Object.entries(POST_DETAILS).filter(([name]) => fields.includes(name))),
  ...(expansions.includes("author_id") ? { author_id: OTHER.id } : {}),
});
