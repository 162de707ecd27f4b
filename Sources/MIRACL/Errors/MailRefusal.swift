import HTTP

/// Refusals where the outbox is read as a mail server for tests shows it.
struct MailRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String

    static func unknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "NOT_FOUND", "Not found"),
            explanation: "The outbox of this world has no mail of MIRACL with the ID \"\(id.prefix(40))\".")
    }
}
