print("mocknet")
