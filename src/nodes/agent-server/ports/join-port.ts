import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Duplex } from 'node:stream';
import type { Pod } from '../../../controllers/resources.ts';
import type { AgentSource } from '../source/agent-source.ts';
import { readAnnotation } from '../runs/read-annotation.ts';
import type { JoinPort } from '../protocols/port-streams.ts';
import { parsePorts } from './parse-ports.ts';

const connectTimeoutMs = 5_000;

/**
 * The ports of a pod: each returns its bytes, unless the annotation `ports` names a target, which
 * the owner of the nodes must have allowed.
 */
export function joinPort(pod: Pod, { identifiers, portTargets, events }: AgentSource): JoinPort {
  const annotation = readAnnotation(pod.metadata.annotations, 'ports', identifiers) ?? '';
  return async (port, stream) => {
    const targets = parsePorts(annotation);
    if (targets === undefined) throw new Error('the annotation "ports" of the pod is not like 80=127.0.0.1:3000');
    const target = targets.get(port);
    if (target === undefined) return await echo(stream);
    if (!portTargets.includes(target)) {
      const message = `port ${port} leads to ${target}, which the owner of the stand-in nodes has not allowed`;
      const about = { apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata };
      events.record(about, { type: 'Warning', reason: 'PortTargetRefused', message });
      throw new Error(message);
    }
    await joinTarget(stream, target);
  };
}

function echo(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    stream.pipe(stream);
    stream.once('close', resolve).once('finish', resolve);
  });
}

async function joinTarget(stream: Duplex, target: string): Promise<void> {
  const colon = target.lastIndexOf(':');
  const host = target.slice(0, colon).replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(target.slice(colon + 1)), allowHalfOpen: true });
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error(`${target} does not answer`)));
  socket.once('connect', () => socket.setTimeout(0));
  stream.once('close', () => socket.destroy());
  stream.pipe(socket);
  try {
    // The end of the target ends the connection; the client's end alone does not.
    await pipeline(socket, stream);
  } finally {
    socket.destroy();
  }
}
