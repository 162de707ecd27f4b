import Testing

@Suite struct SampleAppTests {}
