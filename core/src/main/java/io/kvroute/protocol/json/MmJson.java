package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockMmObjectInfo;
import io.kvroute.hash.MmRange;
import io.kvroute.hash.RequestExtraInfo;
import io.kvroute.hash.RequestMmObjectInfo;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.util.List;

/** Multimodal objects of blocks and of requests. */
final class MmJson {
  static final JsonCodec<BlockMmObjectInfo> BLOCK_OBJECT =
      JsonCodec.plain("BlockMmObjectInfo", MmJson::readBlockObject, MmJson::writeBlockObject);
  static final JsonCodec<BlockExtraInfo> BLOCK =
      JsonCodec.plain("BlockExtraInfo", MmJson::readBlock, MmJson::writeBlock);
  static final JsonCodec<RequestMmObjectInfo> REQUEST_OBJECT =
      JsonCodec.plain("RequestMmObjectInfo", MmJson::readRequestObject, MmJson::writeRequestObject);
  static final JsonCodec<RequestExtraInfo> REQUEST =
      JsonCodec.plain("RequestExtraInfo", MmJson::readRequest, MmJson::writeRequest);

  private static final Shape BLOCK_OBJECT_SHAPE =
      Shape.of("BlockMmObjectInfo", "mm_hash", "offsets");
  private static final Shape BLOCK_SHAPE = Shape.of("BlockExtraInfo", "mm_objects");
  private static final Shape REQUEST_OBJECT_SHAPE =
      Shape.of("RequestMmObjectInfo", "mm_hash", "offsets");
  private static final Shape REQUEST_SHAPE = Shape.of("RequestExtraInfo", "mm_objects");

  private MmJson() {}

  /** A constructor of either kind of object, which have the same fields. */
  @FunctionalInterface
  private interface ObjectMaker<T> {
    T make(long mmHash, List<MmRange> offsets);
  }

  private static <T> T readObject(final JsonIn in, final Shape shape, final ObjectMaker<T> maker) {
    long hash = 0;
    List<MmRange> offsets = List.of();
    final StructReader fields = in.struct(shape);
    while (fields.next()) {
      switch (fields.name()) {
        case "mm_hash" -> hash = in.u64();
        default -> offsets = in.list(MmJson::readRange);
      }
    }
    return maker.make(hash, offsets);
  }

  private static MmRange readRange(final JsonIn in) {
    in.expect(JsonToken.START_ARRAY, "array of two numbers");
    in.next();
    final long start = in.u64();
    in.next();
    final long end = in.u64();
    if (in.next() != JsonToken.END_ARRAY) {
      throw in.error(Kind.TYPE, "array has more than two numbers");
    }
    return new MmRange(start, end);
  }

  private static <T> List<T> readObjects(
      final JsonIn in, final Shape shape, final JsonIn.Reader<T> reader) {
    List<T> objects = List.of();
    final StructReader fields = in.struct(shape);
    while (fields.next()) {
      objects = in.list(reader);
    }
    return objects;
  }

  private static void writeObject(
      final JsonOut out, final long mmHash, final List<MmRange> offsets) {
    out.beginObject().field("mm_hash").u64(mmHash);
    out.field("offsets").list(offsets, (o, range) -> o.pair(range.start(), range.end()));
    out.endObject();
  }

  private static <T> void writeObjects(
      final JsonOut out, final List<T> objects, final JsonOut.Writer<T> writer) {
    out.beginObject().field("mm_objects").list(objects, writer).endObject();
  }

  private static BlockMmObjectInfo readBlockObject(final JsonIn in) {
    return readObject(in, BLOCK_OBJECT_SHAPE, BlockMmObjectInfo::new);
  }

  private static void writeBlockObject(final JsonOut out, final BlockMmObjectInfo object) {
    writeObject(out, object.mmHash(), object.offsets());
  }

  static BlockExtraInfo readBlock(final JsonIn in) {
    return new BlockExtraInfo(readObjects(in, BLOCK_SHAPE, MmJson::readBlockObject));
  }

  static void writeBlock(final JsonOut out, final BlockExtraInfo info) {
    writeObjects(out, info.mmObjects(), MmJson::writeBlockObject);
  }

  private static RequestMmObjectInfo readRequestObject(final JsonIn in) {
    return readObject(in, REQUEST_OBJECT_SHAPE, RequestMmObjectInfo::new);
  }

  private static void writeRequestObject(final JsonOut out, final RequestMmObjectInfo object) {
    writeObject(out, object.mmHash(), object.offsets());
  }

  private static RequestExtraInfo readRequest(final JsonIn in) {
    return new RequestExtraInfo(readObjects(in, REQUEST_SHAPE, MmJson::readRequestObject));
  }

  private static void writeRequest(final JsonOut out, final RequestExtraInfo info) {
    writeObjects(out, info.mmObjects(), MmJson::writeRequestObject);
  }

  /** A list with one entry per block, null where a block has nothing. */
  static List<BlockExtraInfo> readBlocks(final JsonIn in) {
    return in.list(element -> element.orNull(MmJson::readBlock));
  }
}
