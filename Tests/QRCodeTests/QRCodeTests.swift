import Testing

@Suite struct QRCodeTests {}
