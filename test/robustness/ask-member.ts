/** The answer of a member; fields that are zero are left out. */
export type MemberAnswer = Readonly<Record<string, unknown>>;

/** Asks one member of etcd over its JSON gateway, for calls that no client of this project makes. Rejects if it refuses. */
export async function askMember(
  endpoint: string,
  call: string,
  body: object = {},
  timeoutMs = 30_000,
): Promise<MemberAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${endpoint}/v3/${call}`, { method: 'POST', body: JSON.stringify(body), signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as MemberAnswer;
}
