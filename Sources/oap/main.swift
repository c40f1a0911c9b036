print("oap")
