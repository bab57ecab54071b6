import type { Certificates } from './certificates.ts';
import { listen, type Listener, type ListenOptions } from './listen.ts';

/** Listens with the server's certificates, and with their successors when their files change. */
export async function listenWithCertificates(
  certificates: Certificates,
  options: Omit<ListenOptions, 'certificates'>,
): Promise<Listener> {
  const { serving, sni, clientCa, frontProxyCa } = certificates;
  const trusted = (client = clientCa?.current, proxy = frontProxyCa?.current): string | undefined =>
    client === undefined ? proxy : [client, proxy].join('\n');
  const presented = () => ({ ...serving.current, sni: sni.current, clientCa: trusted() });
  const listener = await listen({ ...options, certificates: presented() });
  const present = (changed: Partial<ReturnType<typeof presented>>): void =>
    listener.useCertificates({ ...presented(), ...changed });
  serving.onChange(present);
  sni.onChange((changed) => present({ sni: changed }));
  clientCa?.onChange((changed) => present({ clientCa: trusted(changed) }));
  frontProxyCa?.onChange((changed) => present({ clientCa: trusted(clientCa?.current, changed) }));
  certificates.watch();
  return listener;
}
