import { flagsOf, groupOf, optionsOf } from '../../flags/flag-options.ts';
import { inSection, type FlagRule, type FlagValues } from '../../flags/flag-table.ts';
import { boolean, choice, integer, text } from '../../flags/flag-types.ts';
import { deliveryError, deliveryFlags, deliveryModeFlag, deliveryOf } from './audit-delivery.ts';
import { auditVersion, auditLogFormats, type AuditLogOptions, defaultAuditLog } from './audit-options.ts';

const section = 'Audit';

const log = inSection(section, {
  path: {
    flag: 'audit-log-path',
    type: text('file'),
    help: 'file to which audit events are appended; - is standard output',
  },
  format: {
    flag: 'audit-log-format',
    type: choice('format', auditLogFormats),
    default: defaultAuditLog.format,
    help: 'format of the audit log: json, or legacy with a line of text for each event',
  },
  'audit-log-version': {
    type: auditVersion,
    help: 'group and version of the events of the audit log; only v1 is written',
  },
  mode: deliveryModeFlag('log', defaultAuditLog),
  maxMegabytes: {
    flag: 'audit-log-maxsize',
    type: integer('megabytes'),
    default: 0,
    help: `size at which the audit log is replaced; 0 is ${defaultAuditLog.maxMegabytes}`,
  },
  maxAgeDays: {
    flag: 'audit-log-maxage',
    type: integer('days'),
    default: defaultAuditLog.maxAgeDays,
    help: 'days for which old audit logs are kept; 0 keeps them',
  },
  maxBackups: {
    flag: 'audit-log-maxbackup',
    type: integer('number'),
    default: defaultAuditLog.maxBackups,
    help: 'number of old audit logs that are kept; 0 keeps them',
  },
  compress: {
    flag: 'audit-log-compress',
    type: boolean,
    default: defaultAuditLog.compress,
    help: 'compress old audit logs with gzip',
  },
});

const delivery = deliveryFlags('log', defaultAuditLog);

/** The flags of the policy of auditing and of the audit log. */
export const auditLogFlags = inSection(section, {
  /** A Policy; absent: nothing is recorded. */
  auditPolicyFile: {
    flag: 'audit-policy-file',
    type: text('file'),
    help: 'Policy with the rules that decide which requests are recorded; read at the start only',
  },
  ...flagsOf(log),
  ...flagsOf(delivery),
});

const flags = flagsOf(auditLogFlags);

/** Rules about several flags; each returns an error message or undefined. */
export const auditLogFlagRules: readonly FlagRule<typeof flags>[] = [
  ({ values }) => {
    const options = flaggedAuditLog(values);
    return options && deliveryError('log', options);
  },
];

/** The audit log that the flags describe; undefined if there is none. */
export function flaggedAuditLog(values: FlagValues<typeof flags>): AuditLogOptions | undefined {
  const options = groupOf(log, values, 'path');
  if (!options) return undefined;
  const maxMegabytes = options.maxMegabytes || defaultAuditLog.maxMegabytes;
  return { ...options, maxMegabytes, ...deliveryOf(optionsOf(delivery, values)) };
}
