/** A real OAuth server in the place of Google's, run by node inside the lab: `oauth-server.mjs SETUP` (see sign-in-lab.ts). */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createSecureContext } from "node:tls";

// What it warns of, at its first import already, is meant for servers that are open to everybody.
console.warn = () => undefined;
console.info = () => undefined;
const { default: Provider } = await import("oidc-provider");

/** The pages of one sign-in may be walked slowly on a busy machine. */
const MINUTES = 60 * 10;

const { issuer, address, client, redirectUris, scopes, certificates, tokenSeconds } = JSON.parse(process.argv[2]);

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      application_type: "native",
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: redirectUris,
    },
  ],
  // Google's own paths, each on a host of its own.
  routes: { authorization: "/o/oauth2/v2/auth", token: "/token", userinfo: "/v1/userinfo" },
  scopes: ["openid", "offline_access", ...scopes],
  claims: { openid: ["sub"], email: ["email"], profile: ["name"] },
  extraParams: ["access_type"],
  pkce: { required: () => true },
  // Google gives one for `access_type=offline`, not for a scope.
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  ttl: {
    AccessToken: tokenSeconds,
    RefreshToken: MINUTES,
    Session: MINUTES,
    Interaction: MINUTES,
    Grant: MINUTES,
    IdToken: MINUTES,
  },
  cookies: { keys: ["lab"] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, name: `The ${id}` }),
  }),
});
provider.on("server_error", (_context, error) => process.stderr.write(`${error.stack}\n`));

const contexts = new Map(
  certificates.map(({ name, cert, key }) => [
    name,
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }),
  ]),
);
createServer({ SNICallback: (name, done) => done(null, contexts.get(name)) }, provider.callback()).listen(
  443,
  address,
  () => process.stdout.write(`${JSON.stringify({ up: true })}\n`),
);
