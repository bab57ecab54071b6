/** The identity of a bound token as users and audit events have it. */
export function credentialId(id: string): string {
  return `JTI=${id}`;
}
