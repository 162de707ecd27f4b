/// Where a mobile authentication transaction stands. Source: the vendor's catalogue of events.
enum MobileTransactionState: String, Codable, Sendable, CaseIterable {
    case initialized = "INITIALIZED"
    /// A device has read the message; it alone may answer.
    case fetched = "FETCHED"
    case authenticated = "AUTHENTICATED"
    case denied = "DENIED"
    case failed = "FAILED"
    /// Never stored: it follows from the time.
    case expired = "EXPIRED"

    var isOpen: Bool { self == .initialized || self == .fetched }
}

/// Why a transaction ended without success, as a result tells it. Source: mobile authentication API v4.
enum MobileTransactionReason: String, Codable, Sendable, CaseIterable {
    case failedToSend = "failed_to_send"
    case invalidRequest = "invalid_request"
    case notAccepted = "not_accepted"
    case invalidAnswer = "invalid_answer"

    var description: String {
        switch self {
        case .failedToSend: "Push message failed to be sent"
        case .invalidRequest: "Invalid push authentication request"
        case .notAccepted: "User rejected push"
        case .invalidAnswer: "Invalid push answer"
        }
    }
}

/// How far telling the portal has come.
enum CallbackState: String, Codable, Sendable, CaseIterable {
    /// Waits until it is released by hand.
    case held
    case queued, delivered, failed
}
