import Essentials

extension Error {
    /// The error in words, without the decoration that Foundation's errors have when they are printed.
    var sentence: String {
        (self as? CocoaError).map(\.words) ?? "\(self)"
    }
}

extension CocoaError {
    fileprivate var words: String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileWriteFileExists: "it exists already"
        case .fileWriteOutOfSpace: "no space left"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        default: "\(self)"
        }
    }
}
