import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import { type Backend, createBackend } from '../../outbound/backend.ts';

/** The certificate and key that this server shows to others, in PEM. */
export interface ProxyCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The connections to a server, and what they depend on. */
interface Entry {
  readonly key: string;
  readonly certificate: ProxyCertificate | undefined;
  readonly backend: Backend;
}

/** The connections to the servers of APIServices. Each APIService has its own. */
export class Backends {
  readonly #entries = new Map<string, Entry>();
  readonly #certificate: () => ProxyCertificate | undefined;

  /** `certificate` returns the same object until the certificate changes. */
  constructor(certificate: () => ProxyCertificate | undefined) {
    this.#certificate = certificate;
  }

  /** Returns the connections for the present state of an APIService. */
  of({ name, service, caBundle, insecure }: RemoteApiService): Backend {
    const serverName = `${service.name}.${service.namespace}.svc`;
    const certificate = this.#certificate();
    const key = JSON.stringify([serverName, caBundle, insecure]);
    const known = this.#entries.get(name);
    if (known && known.key === key && known.certificate === certificate) return known.backend;
    known?.backend.close();
    const ca = caBundle === '' ? {} : { ca: caBundle };
    const backend = createBackend({ ...ca, insecure, serverName, ...certificate });
    this.#entries.set(name, { key, certificate, backend });
    return backend;
  }

  /** Closes the connections of an APIService that is gone, once its requests have ended. */
  forget(name: string): void {
    this.#entries.get(name)?.backend.close();
    this.#entries.delete(name);
  }

  close(): void {
    for (const name of this.#entries.keys()) this.forget(name);
  }
}
