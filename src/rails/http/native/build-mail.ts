/** Writes a mail as RFC 5322 text: encoded headers, parsed address lists, a UTF-8 body; Gmail adds From, Date and Message-ID. */
import addressparser from "nodemailer/lib/addressparser";
import MimeNode from "nodemailer/lib/mime-node";
import { lineOf, type Named, refusal, textOf } from "./named-arguments.ts";

/**
 * `local@domain`: the local part plain, or in quotes for its spaces and dots, the domain of letters and digits, as every
 * reader of mail takes it. The library accepts more, and another reader might see another recipient in it.
 */
const ADDRESS =
  /^(?:[^\s"(),:;<>@[\\\]]+|"[^\p{Cc}"(),:;<>@[\\\]]+")@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/** One recipient: an address and the name shown for it. */
interface Mailbox {
  readonly address: string;
  readonly name: string;
}

/**
 * The mail that the arguments `to`, `cc`, `bcc`, `subject`, `body`, `in_reply_to` and `references` describe, as Gmail
 * takes it in `raw`: base64url without padding. Blank headers are left out (spec 11). Throws argument_invalid, naming
 * the argument, for a line break in a header, and for a recipient that is no address.
 */
export async function buildMail(named: Named): Promise<string> {
  const mail = new MimeNode("text/plain; charset=utf-8", {
    newline: "win",
    keepBcc: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const to = mailboxes(named, "to");
  if (to.length === 0) throw refusal(named, "to", "it holds no mail address");
  mail.setHeader("To", to);
  for (const field of ["cc", "bcc"]) {
    const copies = mailboxes(named, field);
    if (copies.length > 0) mail.setHeader(field, copies);
  }
  mail.setHeader("Subject", wellFormed(lineOf(named, "subject")));
  setThread(mail, lineOf(named, "in_reply_to"), lineOf(named, "references"));
  // Blank values keep the library from adding its own: Gmail stamps a mail when it takes it.
  mail.setHeader("Date", " ");
  mail.setHeader("Message-ID", { value: " " });
  mail.setContent(wellFormed(textOf(named, "body")).replace(/\r\n?/g, "\n"));
  return Buffer.from(await mail.build()).toString("base64url");
}

/** The answered mail ends the references, as RFC 5322 (3.6.4) asks; without it mail programs start a new conversation. */
function setThread(mail: MimeNode, inReplyTo: string | undefined, references: string | undefined): void {
  if (inReplyTo !== undefined) mail.setHeader("In-Reply-To", wellFormed(inReplyTo));
  const named = [references, references?.includes(inReplyTo ?? "") ? undefined : inReplyTo];
  const all = named.filter((value) => value !== undefined).join(" ");
  if (all !== "") mail.setHeader("References", wellFormed(all));
}

/** The recipients in one argument; what is checked here is what is sent, so the list is not parsed again. */
function mailboxes(named: Named, field: string): Mailbox[] {
  const line = lineOf(named, field);
  if (line === undefined) return [];
  return addressparser(wellFormed(line), { flatten: true }).map(({ address, name }) => {
    if (ADDRESS.test(address)) return { address, name };
    throw refusal(named, field, `${JSON.stringify(address || name)} is no mail address`);
  });
}

/** Half a surrogate pair has no UTF-8, and the library throws on it. */
function wellFormed(text: string | undefined): string {
  return (text ?? "").toWellFormed();
}
