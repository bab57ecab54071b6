import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import { NotSentError } from '../../outbound/not-sent-error.ts';

/**
 * Settings of a connection that sends requests only while a lease is held. A process that was
 * stopped for longer than its lease has work before it, and may find out later that another one
 * leads: none of its requests is sent any more, not even those that waited for a connection.
 * Those that were sent before are not taken back.
 */
export function whileHeld(settings: ConnectionSettings, isHeld: () => boolean): ConnectionSettings {
  return {
    ...settings,
    beforeSend() {
      if (!isHeld()) throw new NotSentError('the lease of the leader was not renewed in time');
    },
  };
}
