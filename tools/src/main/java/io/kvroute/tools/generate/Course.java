package io.kvroute.tools.generate;

/** What a session does. */
enum Course {
  CONVERSATION,
  TOOL_LOOP,
  ONE_SHOT
}
