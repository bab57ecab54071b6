import { decodeFields, type HeaderFields } from './hpack.ts';
import { flags, type Frame, FrameError, unpadded } from './http2-frames.ts';

/** Header blocks of etcd have a few hundred bytes; a longer one is not from etcd. */
const limitBytes = 64 << 10;
/** Number of different blocks whose fields are cached. */
const rememberedBlocks = 64;

/** A complete block, with the HEADERS frame that began it. */
export interface HeaderBlock {
  readonly frame: Frame;
  readonly fields: HeaderFields;
}

/**
 * Assembles the header blocks of a connection. Without dynamic tables they are independent, and a
 * server repeats a few: each is decoded once.
 */
export class HeaderBlocks {
  readonly #known = new Map<string, HeaderFields>();
  #open: { readonly frame: Frame; readonly pieces: Buffer[]; length: number } | undefined;

  /**
   * Takes a HEADERS frame; undefined while its block is incomplete. Throws `FrameError` and
   * `HpackError`.
   */
  begin(frame: Frame): HeaderBlock | undefined {
    if (this.#open) throw new FrameError('a header block is interrupted');
    const piece = unpadded(frame);
    if (frame.flags & flags.endHeaders) return { frame, fields: this.#fieldsIn(piece) };
    this.#open = { frame, pieces: [Buffer.from(piece)], length: piece.length };
    return undefined;
  }

  /** Takes a CONTINUATION frame; returns the same. */
  proceed({ flags: set, streamId, payload }: Frame): HeaderBlock | undefined {
    const open = this.#open;
    if (open?.frame.streamId !== streamId) throw new FrameError('a CONTINUATION frame follows no open header block');
    open.pieces.push(Buffer.from(payload));
    open.length += payload.length;
    if (open.length > limitBytes) throw new FrameError('a header block is too large');
    if (!(set & flags.endHeaders)) return undefined;
    this.#open = undefined;
    return { frame: open.frame, fields: this.#fieldsIn(Buffer.concat(open.pieces)) };
  }

  #fieldsIn(block: Buffer): HeaderFields {
    const text = block.toString('latin1');
    let fields = this.#known.get(text);
    if (!fields) {
      fields = decodeFields(block);
      if (this.#known.size < rememberedBlocks) this.#known.set(text, fields);
    }
    return fields;
  }
}
