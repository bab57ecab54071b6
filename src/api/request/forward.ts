import type { Tracing } from '../../tracing/span.ts';
import type { Exchange } from './exchange.ts';
import type { RemoteApiService } from '../api-services/api-service.ts';

/** Answers a request with the response of the server of an APIService. */
export type Forward = (exchange: Exchange, service: RemoteApiService) => Promise<void> | void;

/** The parts of the server that a forwarder belongs to. */
export interface ForwardOptions {
  /** Records a request that is not passed on. */
  readonly refused: (exchange: Exchange, service: RemoteApiService, status: number) => void;
  /** The first part of the name of this server in `Via`. */
  readonly product: string;
  /** Aborts when the server begins to drain. */
  readonly shutdown: AbortSignal;
  /** Creates spans; absent if the process does not trace. */
  readonly tracing?: Tracing | undefined;
}
