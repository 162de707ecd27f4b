import Testing

@Suite struct OpenIDTests {}
