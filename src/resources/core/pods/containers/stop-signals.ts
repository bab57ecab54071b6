const plain =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP ' +
  'TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';

/** `SIGRTMIN+1` and so on. */
const realTime = [
  ...Array.from({ length: 15 }, (_, index) => `RTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `RTMAX-${index + 1}`),
];

/** The signals by which containers can be stopped, by the operating system of their pod. */
export const stopSignals: Readonly<Record<string, readonly string[]>> = {
  linux: [...plain.split(' '), ...realTime].map((name) => `SIG${name}`).toSorted(),
  windows: ['SIGKILL', 'SIGTERM'],
};
