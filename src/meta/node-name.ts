import type { UserInfo } from './user-info.ts';

const namePrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** The node of a node agent's user; undefined for other users, '' if the node is not named. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(namePrefix) && groups.includes(nodesGroup) ? username.slice(namePrefix.length) : undefined;
}
