package io.kvroute.tools.sim;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.CacheTrace;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * One simulated worker: an SGLang KV manager and a scheduler that works in steps. In a step every
 * running request decodes one token, and up to {@code chunkTokens} of prompts are computed: first
 * the rest of a prompt that was begun, then waiting ones in their order, as long as batch and pool
 * have room. What a step computes is there at its end: tokens, cached pages, events.
 *
 * <p>If decoding needs a page and none is free or evictable, requests are retracted: the one that
 * has decoded least, among equals the one admitted last. It waits in front of all others, and its
 * prompt and what it has decoded are computed again, as far as they are not cached.
 */
final class SimWorker implements AutoCloseable, CacheTrace {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final int id;
  private final SimulationSettings settings;
  private final SglangKvManager manager;
  private final EventOutbox outbox = new EventOutbox();
  private final PromptTokens tokens;
  private final WorkerListener listener;
  private final ArrayDeque<SimRequest> waiting = new ArrayDeque<>();
  private final List<SimRequest> running = new ArrayList<>();
  private final List<SimRequest> prefills = new ArrayList<>();
  private SimRequest partial;
  private int decoding;
  private boolean working;
  private long admissions;

  final WorkerFigures figures = new WorkerFigures();

  SimWorker(
      final int id,
      final SimulationSettings settings,
      final PromptTokens tokens,
      final WorkerListener listener) {
    this.id = id;
    this.settings = settings;
    this.tokens = tokens;
    this.listener = listener;
    manager =
        SglangKvManager.builder(settings.poolTokens(), settings.pageSize())
            .workerId(id)
            .sink(outbox)
            .trace(this)
            .build();
  }

  int id() {
    return id;
  }

  SglangKvManager manager() {
    return manager;
  }

  EventOutbox outbox() {
    return outbox;
  }

  /** True between the start of a step and its end. */
  boolean isWorking() {
    return working;
  }

  /** Requests that are here: waiting, begun or running. */
  int requests() {
    return waiting.size() + prefills.size() + running.size() + (partial == null ? 0 : 1);
  }

  /** Puts a request behind those that wait. */
  void enqueue(final SimRequest request) {
    waiting.addLast(request);
    figures.requests++;
    listener.ready(id);
  }

  // ------ the start of a step

  /**
   * Starts a step. There must be a request here.
   *
   * @return how long it takes, at least 1
   */
  long startStep(final long nowNs) {
    makeRoomForDecoding();
    decoding = running.size();
    for (int i = 0; i < decoding; i++) {
      if (manager.allocateDecodeToken(running.get(i).lease) == SglangKvManager.REFUSED) {
        throw new IllegalStateException("no page for a token: worker=" + id);
      }
    }
    final long prefillTokens = planPrefill(nowNs);
    if (decoding == 0 && prefills.isEmpty()) {
      throw new IllegalStateException(
          "a request waits and nothing runs: worker=" + id + " waiting=" + waiting.size());
    }
    final long durationNs = durationNs(prefillTokens);
    outbox.seal(nowNs + durationNs + settings.eventDelayNs());
    working = true;
    figures.steps++;
    figures.busyNs += durationNs;
    figures.computedTokens += prefillTokens;
    figures.decodedTokens += decoding;
    return durationNs;
  }

  private long durationNs(final long prefillTokens) {
    final long rate = settings.prefillRate();
    final long seconds = prefillTokens / rate;
    final long prefillNs =
        seconds * NANOS_PER_SECOND + prefillTokens % rate * NANOS_PER_SECOND / rate;
    final long decodeNs =
        decoding == 0 ? 0 : settings.decodeStepNs() + decoding * settings.decodeRequestNs();
    return Math.max(1, prefillNs + decodeNs);
  }

  private void makeRoomForDecoding() {
    while (true) {
      long needed = 0;
      for (final SimRequest request : running) {
        if (request.lease.tokenCount() % settings.pageSize() == 0) {
          needed += settings.pageSize();
        }
      }
      if (makeRoom(needed)) {
        return;
      }
      retract(victim());
    }
  }

  /** Evicts until so many tokens are free; false, with nothing evicted, if they cannot be. */
  private boolean makeRoom(final long needed) {
    final long available = manager.cache().availableTokens();
    if (needed <= available) {
      return true;
    }
    if (needed > available + manager.cache().evictableTokens()) {
      return false;
    }
    manager.evict(needed - available);
    return true;
  }

  private SimRequest victim() {
    SimRequest victim = partial;
    for (final SimRequest request : running) {
      if (victim == null
          || request.decoded < victim.decoded
          || (request.decoded == victim.decoded && request.admission > victim.admission)) {
        victim = request;
      }
    }
    return victim;
  }

  private void retract(final SimRequest request) {
    manager.retract(request.lease);
    if (request == partial) {
      partial = null;
    } else {
      running.remove(request);
    }
    request.computed = 0;
    request.retractions++;
    figures.retractions++;
    waiting.addFirst(request);
  }

  private long planPrefill(final long nowNs) {
    int budget = settings.chunkTokens();
    if (partial != null) {
      final int end = (int) Math.min(partial.target(), (long) partial.computed + budget);
      if (!extend(partial, end)) {
        figures.stalls++;
        return 0;
      }
      budget -= end - partial.computed;
      begin(partial, end);
      partial = null;
    }
    while (budget > 0
        && !waiting.isEmpty()
        && running.size() + prefills.size() < settings.maxBatch()) {
      final int used = admit(waiting.peekFirst(), budget, nowNs);
      if (used == 0) {
        break;
      }
      budget -= used;
    }
    return settings.chunkTokens() - (long) budget;
  }

  private void begin(final SimRequest request, final int end) {
    request.computed = end;
    prefills.add(request);
  }

  private boolean extend(final SimRequest request, final int end) {
    final long owned = pagesFor(request.lease.tokenCount());
    return makeRoom((pagesFor(end) - owned) * settings.pageSize())
        && manager.extendAllocation(tokens.of(request, end), request.lease);
  }

  private long pagesFor(final long count) {
    return count <= 0 ? 0 : (count - 1) / settings.pageSize() + 1;
  }

  /** Takes a request out of the queue if there is room; returns the tokens of its first chunk. */
  private int admit(final SimRequest request, final int budget, final long nowNs) {
    final int target = request.target();
    final long cached = manager.cache().prefixMatchLen(tokens.of(request, target));
    final int end = (int) Math.min(target, cached + budget);
    if (!hasRoom(cached, end)) {
      return 0;
    }
    if (request.lease == null) {
      request.lease = new ActiveKvLease();
    }
    final long prefix = manager.allocate(tokens.of(request, end), request.lease);
    if (prefix == SglangKvManager.REFUSED) {
      return 0;
    }
    waiting.removeFirst();
    request.admission = admissions++;
    if (request.admittedNs == SimRequest.NEVER) {
      request.admittedNs = nowNs;
      request.hitTokens = prefix;
      figures.inputTokens += request.inputLength();
      figures.hitTokens += prefix;
      listener.admitted(request, nowNs);
    } else {
      figures.recomputedTokens += target - prefix;
    }
    begin(request, end);
    // At least the last token of a prompt is computed, also when all of it is cached.
    return (int) Math.max(1, end - prefix);
  }

  /**
   * Leaves a page for each request that runs, so that they are not retracted at once. The cached
   * prefix is taken to be evictable now, which it is no longer once it is in use.
   */
  private boolean hasRoom(final long cached, final int end) {
    final int active = running.size() + prefills.size();
    if (active == 0) {
      return true;
    }
    final long pages = pagesFor(end - cached) + active;
    return pages * settings.pageSize()
        <= manager.cache().availableTokens() + manager.cache().evictableTokens() - cached;
  }

  // ------ the end of a step

  /** Ends the step that was started. */
  void endStep(final long nowNs) {
    working = false;
    int kept = 0;
    for (int i = 0; i < decoding; i++) {
      final SimRequest request = running.get(i);
      request.decoded++;
      if (request.decoded == request.outputLength()) {
        finish(request, nowNs);
      } else {
        running.set(kept++, request);
      }
    }
    running.subList(kept, running.size()).clear();
    decoding = 0;
    for (final SimRequest request : prefills) {
      endPrefill(request, nowNs);
    }
    prefills.clear();
    outbox.seal(nowNs + settings.eventDelayNs());
    listener.ready(id);
  }

  private void endPrefill(final SimRequest request, final long nowNs) {
    final TokenView view = tokens.of(request, request.computed);
    manager.extendCachedPrefix(view, request.lease);
    if (request.computed < request.target()) {
      partial = request;
      return;
    }
    request.decoded++;
    if (request.firstTokenNs == SimRequest.NEVER) {
      request.firstTokenNs = nowNs;
      listener.prefilled(request, nowNs);
    }
    if (request.decoded == request.outputLength()) {
      finish(request, nowNs);
    } else {
      running.add(request);
    }
  }

  private void finish(final SimRequest request, final long nowNs) {
    manager.finish(tokens.of(request, request.target() - 1), request.lease);
    request.lease = null;
    request.endNs = nowNs;
    listener.ended(request, nowNs);
  }

  @Override
  public void onCacheState(
      final Event event,
      final int dpRank,
      final long numTokens,
      final long pageSize,
      final long availableTokens,
      final long evictableTokens,
      final long protectedTokens,
      final long totalTokens) {
    if (event == Event.EVICTION) {
      figures.evictions++;
      figures.evictedTokens += numTokens;
    }
  }

  /** Gives the memory back; nobody is told what goes with it. */
  @Override
  public void close() {
    manager.sink(null);
    manager.close();
  }
}
