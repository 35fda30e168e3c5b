package io.kvroute.tools.generate;

import io.kvroute.tools.io.InputException;
import io.kvroute.tools.trace.TraceRequest;
import io.kvroute.tools.trace.TraceSource;
import java.util.PriorityQueue;

/**
 * The built-in trace. Sessions begin at random (exponential gaps of {@value #MEAN_SESSION_GAP} ms
 * on average), choose one of {@value #SYSTEM_PROMPTS} system prompts (prompt k with weight 1/(k+1),
 * whole blocks long, shared by all sessions that choose it) and one of three courses:
 *
 * <ul>
 *   <li>45 % conversations: each turn adds a question (one in six brings a document along) to all
 *       that was said before, then waits for the answer and thinks;
 *   <li>15 % tool loops: a task, then step after step adds a tool's output within seconds;
 *   <li>40 % one-shots: one prompt, once.
 * </ul>
 *
 * The prompt of a turn begins with the prompt of the turn before and its answer, token by token. A
 * session ends before a prompt would be longer than {@value #MAX_PROMPT} tokens. Requests come out
 * in the order of their arrival; requests of different sessions overlap. Everything depends on the
 * {@link GeneratorSettings} alone; the figures above are the standard ones.
 */
public final class GeneratedTrace implements TraceSource {
  static final int SYSTEM_PROMPTS = 24;
  static final long MEAN_SESSION_GAP = 500;
  static final int MAX_PROMPT = 131_072;
  static final long MAX_BLOCK_SIZE = 65_536;
  private static final long TOKEN_RANGE = 1L << 32;
  private static final long SYSTEM_PROMPT_MIN_TOKENS = 400;
  private static final long SYSTEM_PROMPT_SPREAD = 6_000;
  private static final long WEIGHT_OF_FIRST = 1_000_000;
  private static final int CONVERSATION_PERCENT = 45;
  private static final int TOOL_LOOP_PERCENT = 15;

  private final SplitMix64 random;
  private final long blockSize;
  private final long[] systemPromptBlocks;
  private final long[] systemPromptFirstId;
  private final long[] cumulativeWeight;
  private final PriorityQueue<Session> waiting = new PriorityQueue<>();
  private final int turns;
  private final long sessionGap;
  private long requestsLeft;
  private long sessionsLeft;
  private long nextId;
  private long nextSessionNumber;
  private long nextSessionStart;

  /**
   * Makes the trace of a seed.
   *
   * @param seed any number
   * @param requests how many requests there are, not negative
   * @param blockSize tokens per hash id, from 1 to {@value #MAX_BLOCK_SIZE}
   * @throws InputException if one of them is out of range
   */
  public GeneratedTrace(final long seed, final long requests, final long blockSize) {
    this(GeneratorSettings.standard(seed, requests, blockSize));
  }

  /** Makes the trace of other settings than the standard ones. */
  public GeneratedTrace(final GeneratorSettings settings) {
    this.random = new SplitMix64(settings.seed());
    this.requestsLeft = settings.requests();
    this.sessionsLeft = settings.sessions();
    this.blockSize = settings.blockSize();
    this.turns = settings.turns();
    this.sessionGap = settings.sessionGapMillis();
    final int prompts = settings.sharedPrompts();
    this.systemPromptBlocks = new long[prompts];
    this.systemPromptFirstId = new long[prompts];
    this.cumulativeWeight = new long[prompts];
    long weight = 0;
    for (int k = 0; k < prompts; k++) {
      final long tokens = SYSTEM_PROMPT_MIN_TOKENS + random.below(SYSTEM_PROMPT_SPREAD);
      systemPromptBlocks[k] = TraceRequest.idsFor(tokens, blockSize);
      systemPromptFirstId[k] = takeIds(systemPromptBlocks[k]);
      weight += WEIGHT_OF_FIRST / (k + 1);
      cumulativeWeight[k] = weight;
    }
  }

  @Override
  public long blockSize() {
    return blockSize;
  }

  @Override
  public boolean next(final TraceRequest request) {
    if (requestsLeft == 0) {
      return false;
    }
    while (sessionsLeft > 0 && (waiting.isEmpty() || nextSessionStart <= waiting.peek().arrival)) {
      sessionsLeft--;
      begin();
    }
    final Session session = waiting.poll();
    if (session == null) {
      return false;
    }
    requestsLeft--;
    emit(session, request);
    if (advance(session)) {
      waiting.add(session);
    }
    return true;
  }

  private void begin() {
    final Session session = new Session(nextSessionNumber++, nextSessionStart);
    nextSessionStart += random.exponential(sessionGap, sessionGap * 20);
    if (systemPromptBlocks.length > 0) {
      beginWith(session, chooseSystemPrompt());
    }
    final long course = random.below(100);
    if (course < CONVERSATION_PERCENT) {
      session.course = Course.CONVERSATION;
      session.turnsLeft = (int) (1 + random.exponential(turns, GeneratorSettings.MAX_TURNS));
      extend(session, question());
    } else if (course < CONVERSATION_PERCENT + TOOL_LOOP_PERCENT) {
      session.course = Course.TOOL_LOOP;
      final int steps = (int) (2 + random.exponential(6, 50));
      session.turnsLeft = turns == 0 ? 1 : steps;
      extend(session, 100 + random.exponential(400, 8_000));
    } else {
      session.course = Course.ONE_SHOT;
      session.turnsLeft = 1;
      extend(session, 50 + random.exponential(5_000, 60_000));
    }
    session.answerTokens = answer(session.course);
    waiting.add(session);
  }

  private void beginWith(final Session session, final int systemPrompt) {
    for (long i = 0; i < systemPromptBlocks[systemPrompt]; i++) {
      session.addId(systemPromptFirstId[systemPrompt] + i);
    }
    session.promptTokens = (int) (systemPromptBlocks[systemPrompt] * blockSize);
  }

  private int chooseSystemPrompt() {
    final long draw = random.below(cumulativeWeight[cumulativeWeight.length - 1]);
    int k = 0;
    while (cumulativeWeight[k] <= draw) {
      k++;
    }
    return k;
  }

  private long question() {
    final long words = 20 + random.exponential(180, 4_000);
    return random.below(6) == 0 ? words + 1_000 + random.exponential(9_000, 40_000) : words;
  }

  private int answer(final Course course) {
    return (int)
        switch (course) {
          case CONVERSATION -> 16 + random.exponential(320, 2_000);
          case TOOL_LOOP -> 20 + random.exponential(120, 1_000);
          case ONE_SHOT -> 8 + random.exponential(200, 1_000);
        };
  }

  /** Moves a session to its next request; false if it is over. */
  private boolean advance(final Session session) {
    if (--session.turnsLeft <= 0) {
      return false;
    }
    final boolean conversation = session.course == Course.CONVERSATION;
    final long pause =
        conversation
            ? 2_000 + random.exponential(150_000, 1_800_000)
            : 200 + random.exponential(1_500, 60_000);
    final long added = conversation ? question() : 50 + random.exponential(900, 16_000);
    final long tokens = session.promptTokens + session.answerTokens + added;
    if (tokens > MAX_PROMPT) {
      return false;
    }
    session.arrival += session.answerTokens * 20L + pause;
    extend(session, session.answerTokens + added);
    session.answerTokens = answer(session.course);
    return true;
  }

  private void extend(final Session session, final long tokens) {
    session.promptTokens += (int) tokens;
    final long ids = TraceRequest.idsFor(session.promptTokens, blockSize);
    while (session.idCount < ids) {
      session.addId(takeIds(1));
    }
  }

  private long takeIds(final long count) {
    final long first = nextId;
    nextId += count;
    if (nextId > TOKEN_RANGE / blockSize) {
      throw exhausted(requestsLeft, blockSize);
    }
    return first;
  }

  private static InputException exhausted(final long requestsLeft, final long blockSize) {
    return new InputException(
        "the built-in trace has used up all 2^32 tokens, ask for fewer requests: requests-left="
            + requestsLeft
            + " trace-block-size="
            + blockSize);
  }

  private static void emit(final Session session, final TraceRequest request) {
    request.reset();
    request.set(session.arrival, session.promptTokens, session.answerTokens);
    for (int i = 0; i < session.idCount; i++) {
      request.addHashId(session.ids[i]);
    }
  }

  @Override
  public void close() {
    waiting.clear();
  }
}
