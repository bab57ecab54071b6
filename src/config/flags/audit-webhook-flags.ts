import { flagsOf, groupOf, optionsOf } from '../../flags/flag-options.ts';
import { inSection, type FlagRule, type FlagTable, type FlagValues } from '../../flags/flag-table.ts';
import { duration, text } from '../../flags/flag-types.ts';
import { deliveryError, deliveryFlags, deliveryModeFlag, deliveryOf } from './audit-delivery.ts';
import { auditVersion, type AuditWebhookOptions, defaultAuditWebhook } from './audit-options.ts';

const webhook = inSection('Audit', {
  clientConfigFile: {
    flag: 'audit-webhook-config-file',
    type: text('file'),
    help: 'client config file of a server that receives audit events',
  },
  initialBackoffMs: {
    flag: 'audit-webhook-initial-backoff',
    type: duration({ positive: true }),
    default: defaultAuditWebhook.initialBackoffMs,
    help: 'time until a failed call of the audit webhook is repeated; it grows with each try',
  },
  'audit-webhook-version': {
    type: auditVersion,
    help: 'group and version of the events that the webhook gets; only v1 is sent',
  },
  mode: deliveryModeFlag('webhook', defaultAuditWebhook),
});

const delivery = deliveryFlags('webhook', defaultAuditWebhook);

/** The flags of the audit webhook. */
export const auditWebhookFlags = { ...flagsOf(webhook), ...flagsOf(delivery) } as const satisfies FlagTable;

/** Rules about several flags; each returns an error message or undefined. */
export const auditWebhookFlagRules: readonly FlagRule<typeof auditWebhookFlags>[] = [
  ({ values }) => {
    const options = flaggedAuditWebhook(values);
    return options && deliveryError('webhook', options);
  },
];

/** The audit webhook that the flags describe; undefined if there is none. */
export function flaggedAuditWebhook(values: FlagValues<typeof auditWebhookFlags>): AuditWebhookOptions | undefined {
  const options = groupOf(webhook, values, 'clientConfigFile');
  return options && { ...options, ...deliveryOf(optionsOf(delivery, values)) };
}
