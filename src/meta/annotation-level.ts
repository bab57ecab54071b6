/** The lowest audit level at which an annotation of a request is recorded. */
export type AnnotationLevel = 'Metadata' | 'Request';
