/** The levels of the Pod Security Standards, from the loosest to the strictest. */
const levels = ['privileged', 'baseline', 'restricted'] as const;

/** A level of the Pod Security Standards. */
export type Level = (typeof levels)[number];

/** A level as the standards of one release define it. */
export interface LevelVersion {
  readonly level: Level;
  /** The minor number of the release; `latestVersion` for the newest one. */
  readonly version: number;
}

/** The version `latest`: newer than any release. */
export const latestVersion = Infinity;

/** Parses a level; undefined if it is none. */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

/** The rule that `parseLevel` checks, for messages. */
export const levelRule = `must be one of ${levels.join(', ')}`;

const versionPattern = /^v1\.(0|[1-9][0-9]*)$/;

/** Parses `latest` or `v1.<minor>`; undefined if the text is neither. */
export function parseVersion(text: string): number | undefined {
  if (text === 'latest') return latestVersion;
  const minor = Number(versionPattern.exec(text)?.[1]);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** The rule that `parseVersion` checks, for messages. */
export const versionRule = 'must be "latest" or "v1.x"';

/** Formats a level and its version: `baseline:v1.23`. */
export function showLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${showVersion(version)}`;
}

/** Formats a version: `v1.23` or `latest`. */
export function showVersion(version: number): string {
  return version === latestVersion ? 'latest' : `v1.${version}`;
}

/** Reports whether `level` is stricter than `other`. */
export function isStricter(level: Level, other: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(other);
}

/** Reports whether two values are the same level in the same version. */
export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.version === right.version;
}
