package final class PrivateKey: Sendable {
    package init(pem: String) throws {}
}
