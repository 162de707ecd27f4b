import Testing

@Suite struct OneginiTests {}
