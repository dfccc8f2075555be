/** The usual errors of the file system, in words. */
const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'the user that runs Kalends may not access it',
  EPERM: 'the user that runs Kalends may not access it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is larger than the file system or the limits of this process allow',
  EROFS: 'the file system is read-only',
  EIO: 'the disk has an error',
  EPIPE: 'the reading program has ended'
}

/** An error whose message names the file and the reason; others are returned as they are. */
export function toFileError(error: unknown, path: string): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new Error(`${path}: ${reason}.`, { cause: error })
}
