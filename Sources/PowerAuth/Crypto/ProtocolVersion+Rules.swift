extension ProtocolVersion {
    /// The rules of this version.
    package var mobileProtocol: any MobileProtocol {
        switch self {
        case .v30: V30()
        case .v31: V31()
        case .v32: V32()
        case .v33: V33()
        }
    }

    /// A request for the status names no version; only its challenge tells the oldest from the others.
    package static func ofStatusRequest(hasChallenge: Bool) -> ProtocolVersion { hasChallenge ? .v33 : .v30 }
}
