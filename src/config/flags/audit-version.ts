import { checked, text } from '../../flags/flag-types.ts';

/** The group version of audit events in a flag. Its group follows from the identifiers. */
export const auditVersion = checked(text('version'), (version) =>
  /^audit\.[a-z0-9.-]+\/v1$/.test(version) ? undefined : 'only version v1 of the group audit is written',
);
