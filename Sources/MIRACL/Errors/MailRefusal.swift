import HTTP

/// Refusals where the outbox is read as a mail server for tests shows it.
enum MailRefusal: MIRACLRefusal, Equatable {
    case unknown(String)

    var wire: MIRACLWire { MIRACLWire(.notFound, "NOT_FOUND", "Not found") }

    var explanation: String {
        switch self {
        case .unknown(let id):
            "The outbox of this world has no mail of MIRACL with the ID \"\(id.prefix(40))\"."
        }
    }
}
