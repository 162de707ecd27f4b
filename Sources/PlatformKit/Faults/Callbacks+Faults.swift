import Dispatch

extension Callbacks {
    /// Those of a request that `faults` are about.
    func struck(by faults: FaultStrikes) -> Callbacks {
        Callbacks { [send] callback in
            guard let delivery = faults.strike(on: callback)?.delivery else { return send(callback) }
            switch delivery.fate {
            case .lost: break
            case .twice:
                send(callback)
                send(callback)
            case .late:
                DispatchQueue.global().asyncAfter(deadline: .now() + (delivery.seconds ?? 0)) {
                    send(callback)
                }
            }
        }
    }
}
