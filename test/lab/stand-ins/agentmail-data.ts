/** What the stand-in of AgentMail knows: inboxes, messages and threads, shaped as the types of its API reference. */

const inbox = (id: string, name: string) => ({
  pod_id: "pod_lab",
  inbox_id: id,
  email: id,
  display_name: name,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
});

/** Newest first. */
export const INBOXES = [
  inbox("support@agentmail.to", "Support"),
  inbox("sales@agentmail.to", "Sales"),
  inbox("jobs@agentmail.to", "Jobs"),
];

export interface Mail {
  readonly message_id: string;
  readonly timestamp: string;
  readonly from: string;
}

const mail = (id: string, timestamp: string, from: string, subject: string) => ({
  inbox_id: "support@agentmail.to",
  thread_id: "thd_1",
  message_id: id,
  labels: ["received", "unread"],
  timestamp,
  from,
  to: ["support@agentmail.to"],
  subject,
  preview: `About ${subject}`,
  size: 512,
  created_at: timestamp,
  updated_at: timestamp,
});

/** Newest first; a message's id is its Message-ID, angle brackets and all. */
export const MESSAGES: readonly Mail[] = [
  mail("<c3/plus+sign@mail.example.com>", "2026-11-03T10:00:00Z", "Ann <ann@example.com>", "Third"),
  mail("<b2@mail.example.com>", "2026-11-02T10:00:00Z", "bob@example.org", "Second"),
  mail("<a1@mail.example.com>", "2026-11-01T10:00:00Z", "Ann <ann@example.com>", "First"),
];

/** A message as it is read alone: with its text. */
export const whole = (message: Mail): object => ({
  ...message,
  text: "Hello,\r\nis the café open? 12345678901234567890",
  html: "<p>Hello</p>",
  extracted_text: "Hello,",
});

export const THREADS = [
  {
    inbox_id: "support@agentmail.to",
    thread_id: "thd_1",
    labels: ["received"],
    timestamp: "2026-11-03T10:00:00Z",
    senders: ["Ann <ann@example.com>", "bob@example.org"],
    recipients: ["support@agentmail.to"],
    subject: "First",
    preview: "About Third",
    last_message_id: MESSAGES[0]?.message_id,
    message_count: 3,
    size: 1536,
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-03T10:00:00Z",
  },
  {
    inbox_id: "support@agentmail.to",
    thread_id: "thd_2",
    labels: ["sent"],
    timestamp: "2026-10-30T10:00:00Z",
    senders: ["support@agentmail.to"],
    recipients: ["ann@example.com"],
    last_message_id: "<z@agentmail.to>",
    message_count: 1,
    size: 100,
    created_at: "2026-10-30T10:00:00Z",
    updated_at: "2026-10-30T10:00:00Z",
  },
];
