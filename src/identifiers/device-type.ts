/** The type of the variable `device` in expressions, as errors of their compilation name it. */
export const deviceTypeName = 'kubernetes.DRADevice';
