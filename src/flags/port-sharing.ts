/** The reason why this Node cannot set SO_REUSEPORT; undefined if it can. */
export function portSharingError(isWanted: boolean, version: string = process.versions.node): string | undefined {
  if (!isWanted) return undefined;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const canShare = major > 23 || (major === 23 && minor >= 1);
  return canShare ? undefined : `--permit-port-sharing needs Node 23.1 or newer; this is Node ${version}`;
}
